//! Scenes in stored findings: what cannot be read again from a trace.

use std::collections::BTreeSet;

use commute_model::{Arrow, Extent, ExtentKind, Moment, Scene};
use serde::{Deserialize, Serialize};

/// Of a scene with more events those are stored that are near; if they are still more, the
/// page draws what the finding names.
const MOST_MOMENTS: usize = 2_000;
/// So many events before and after one of the finding are near.
const NEAR: u64 = 50;

/// A scene, as it is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptScene {
    threads: Vec<String>,
    moments: Vec<KeptMoment>,
    arrows: Vec<KeptArrow>,
    extents: Vec<KeptExtent>,
    marks: Vec<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    are_clocks_cut: bool,
}

#[derive(Serialize, Deserialize)]
struct KeptMoment {
    index: u64,
    thread: usize,
    action: String,
    location: String,
    /// A number for each thread, up to the last that is known.
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
    /// The scene to be stored, or what is near, unless that is too large, too.
    pub(crate) fn of(scene: &Scene) -> Option<KeptScene> {
        if scene.moments.len() > MOST_MOMENTS {
            let near = near(scene);
            let is_small = near.moments.len() <= MOST_MOMENTS;
            return is_small.then(|| KeptScene::of(&near))?;
        }
        let moments = scene.moments.iter().map(|moment| KeptMoment {
            index: moment.index,
            thread: moment.thread,
            action: moment.action.clone(),
            location: moment.location.clone(),
            clock: by_thread(&moment.clock),
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
            are_clocks_cut: scene.are_clocks_cut,
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
            clock: { (0..).zip(moment.clock) }
                .filter(|(_, time)| *time > 0)
                .collect(),
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
            are_clocks_cut: self.are_clocks_cut,
        })
    }
}

/// A clock as a number for each thread, up to the last that is known.
pub(crate) fn by_thread(clock: &[(u32, u32)]) -> Vec<u32> {
    let mut times = Vec::new();
    for (thread, time) in clock {
        let thread = *thread as usize;
        times.resize(times.len().max(thread + 1), 0);
        times[thread] = *time;
    }
    times
}

/// What is near the events of a finding, and where its threads begin.
fn near(scene: &Scene) -> Scene {
    let marks = || scene.marks.iter();
    let threads: BTreeSet<usize> = marks()
        .filter_map(|mark| Some(scene.moment(*mark)?.thread))
        .collect();
    let begins = |arrow: &&Arrow| {
        let first = scene.moment(arrow.to);
        arrow.why == "fork" && first.is_some_and(|first| threads.contains(&first.thread))
    };
    let begins: BTreeSet<u64> = { scene.arrows.iter().filter(begins) }
        .flat_map(|arrow| [arrow.from, arrow.to])
        .collect();
    let mut kept = Scene {
        threads: scene.threads.clone(),
        marks: scene.marks.clone(),
        are_clocks_cut: scene.are_clocks_cut,
        ..Scene::default()
    };
    let is_near = |index: u64| marks().any(|mark| mark.abs_diff(index) <= NEAR);
    let moments = scene.moments.iter();
    let moments = moments.filter(|m| begins.contains(&m.index) || is_near(m.index));
    kept.moments = moments.cloned().collect();
    let is_kept = |arrow: &&Arrow| {
        [arrow.from, arrow.to]
            .iter()
            .all(|i| kept.moment(*i).is_some())
    };
    let arrows: Vec<Arrow> = scene.arrows.iter().filter(is_kept).cloned().collect();
    let lasts = |extent: &&Extent| {
        { kept.moments.iter() }.any(|moment| {
            moment.thread == extent.thread
                && moment.index >= extent.from
                && extent.to.is_none_or(|to| moment.index <= to)
        })
    };
    let extents: Vec<Extent> = scene.extents.iter().filter(lasts).cloned().collect();
    kept.arrows = arrows;
    kept.extents = extents;
    kept
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
            clock: vec![(0, 1), (1, 2)],
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
            are_clocks_cut: true,
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
    fn of_a_large_scene_what_is_near_is_stored() {
        let mut scene = scene();
        let last = scene.moments[1].clone();
        scene.moments = (1..=MOST_MOMENTS as u64 + 1)
            .map(|index| Moment {
                index,
                ..last.clone()
            })
            .collect();
        scene.marks = vec![1000, 1990];
        let extent = scene.extents[0].clone();
        scene.extents = [(8, Some(900)), (940, Some(960)), (1999, None)]
            .map(|(from, to)| Extent {
                from,
                to,
                ..extent.clone()
            })
            .to_vec();
        let near = read(&stored(&scene)).expect("a scene");
        let indices: Vec<u64> = near.moments.iter().map(|moment| moment.index).collect();
        let expected = [3, 7].into_iter().chain(950..=1050).chain(1940..=2001);
        assert_eq!(indices, expected.collect::<Vec<u64>>());
        assert_eq!(near.arrows, scene.arrows, "a thread begins");
        assert_eq!(near.extents, [&scene.extents[1..]].concat());
        // Unless all of it is.
        scene.marks = (1..=2001).step_by(40).collect();
        assert!(KeptScene::of(&scene).is_none());
    }
}
