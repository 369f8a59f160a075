//! Scenes in stored findings: what cannot be read again from a trace.

use commute_model::{Arrow, Extent, ExtentKind, Moment, Scene};
use serde::{Deserialize, Serialize};

/// A scene with more events is not stored; the page then draws what the finding names.
const MOST_MOMENTS: usize = 2_000;

/// A scene, as it is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptScene {
    threads: Vec<String>,
    moments: Vec<KeptMoment>,
    arrows: Vec<KeptArrow>,
    extents: Vec<KeptExtent>,
    marks: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct KeptMoment {
    index: u64,
    thread: usize,
    action: String,
    location: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    clock: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct KeptArrow {
    from: u64,
    to: u64,
    why: String,
}

#[derive(Serialize, Deserialize)]
struct KeptExtent {
    thread: usize,
    from: u64,
    to: Option<u64>,
    kind: Kind,
    name: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Lock,
    SharedLock,
    Block,
}

impl KeptScene {
    /// The scene to be stored, unless it is too large for that.
    pub(crate) fn of(scene: &Scene) -> Option<KeptScene> {
        if scene.moments.len() > MOST_MOMENTS {
            return None;
        }
        let moments = scene.moments.iter().map(|moment| KeptMoment {
            index: moment.index,
            thread: moment.thread,
            action: moment.action.clone(),
            location: moment.location.clone(),
            clock: moment.clock.clone(),
        });
        let arrows = scene.arrows.iter().map(|arrow| KeptArrow {
            from: arrow.from,
            to: arrow.to,
            why: arrow.why.clone(),
        });
        let extents = scene.extents.iter().map(|extent| KeptExtent {
            thread: extent.thread,
            from: extent.from,
            to: extent.to,
            kind: match extent.kind {
                ExtentKind::Lock => Kind::Lock,
                ExtentKind::SharedLock => Kind::SharedLock,
                ExtentKind::Block => Kind::Block,
            },
            name: extent.name.clone(),
        });
        Some(KeptScene {
            threads: scene.threads.clone(),
            moments: moments.collect(),
            arrows: arrows.collect(),
            extents: extents.collect(),
            marks: scene.marks.clone(),
        })
    }

    /// The scene that was stored; nothing if the file was changed so that it is none.
    pub(crate) fn scene(self) -> Option<Scene> {
        let is_lane = |thread: usize| thread < self.threads.len();
        let are_lanes = self.moments.iter().all(|moment| is_lane(moment.thread))
            && self.extents.iter().all(|extent| is_lane(extent.thread));
        let is_sorted = self.moments.is_sorted_by(|a, b| a.index < b.index)
            && self.marks.is_sorted_by(|a, b| a < b);
        if !are_lanes || !is_sorted {
            return None;
        }
        let moments = self.moments.into_iter().map(|moment| Moment {
            index: moment.index,
            thread: moment.thread,
            action: moment.action,
            location: moment.location,
            clock: moment.clock,
        });
        let arrows = self.arrows.into_iter().map(|arrow| Arrow {
            from: arrow.from,
            to: arrow.to,
            why: arrow.why,
        });
        let extents = self.extents.into_iter().map(|extent| Extent {
            thread: extent.thread,
            from: extent.from,
            to: extent.to,
            kind: match extent.kind {
                Kind::Lock => ExtentKind::Lock,
                Kind::SharedLock => ExtentKind::SharedLock,
                Kind::Block => ExtentKind::Block,
            },
            name: extent.name,
        });
        Some(Scene {
            moments: moments.collect(),
            arrows: arrows.collect(),
            extents: extents.collect(),
            threads: self.threads,
            marks: self.marks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let moment = |index, thread| Moment {
            index,
            thread,
            action: format!("w(x{index})"),
            location: "a.rs:1:2".into(),
            clock: vec![1, 2],
        };
        Scene {
            threads: vec!["main".into(), "T1".into()],
            moments: vec![moment(3, 0), moment(7, 1)],
            arrows: vec![Arrow {
                from: 3,
                to: 7,
                why: "fork".into(),
            }],
            extents: vec![Extent {
                thread: 1,
                from: 2,
                to: None,
                kind: ExtentKind::SharedLock,
                name: "l".into(),
            }],
            marks: vec![3, 7],
        }
    }

    fn stored(scene: &Scene) -> String {
        let kept = KeptScene::of(scene).expect("it is small");
        serde_json::to_string(&kept).expect("it is text")
    }

    fn read(text: &str) -> Option<Scene> {
        let kept: KeptScene = serde_json::from_str(text).expect("it has the fields");
        kept.scene()
    }

    #[test]
    fn a_scene_comes_back() {
        assert_eq!(read(&stored(&scene())), Some(scene()));
    }

    #[test]
    fn what_would_break_a_drawing_is_no_scene() {
        let text = stored(&scene());
        for (from, to) in [
            (r#""index":7,"thread":1"#, r#""index":7,"thread":2"#),
            (r#""index":7"#, r#""index":3"#),
            (r#"{"thread":1,"from":2"#, r#"{"thread":9,"from":2"#),
            ("[3,7]", "[7,3]"),
        ] {
            let changed = text.replace(from, to);
            assert_ne!(changed, text, "{from} is there");
            assert_eq!(read(&changed), None, "{to}");
        }
    }

    #[test]
    fn a_large_scene_is_not_stored() {
        let mut scene = scene();
        let last = scene.moments[1].clone();
        scene.moments = (0..=MOST_MOMENTS as u64)
            .map(|index| Moment {
                index,
                ..last.clone()
            })
            .collect();
        assert!(KeptScene::of(&scene).is_none());
    }
}
