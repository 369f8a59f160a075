//! Orders that explain what calls returned, and histories that have none.

mod classic;
mod compared;
mod given;
mod limits;
mod oracle;
mod random;
mod text;

use commute_compose::linearize::{Answer, History, Limits, SequentialModel, check, check_order};

fn model(name: &str) -> SequentialModel {
    SequentialModel::named(name).unwrap()
}

/// The answer for a history in text, and that an order is one.
fn answer(name: &str, text: &str) -> (History, Answer) {
    let history = History::parse(text).unwrap();
    let answer = check(&model(name), &history, &Limits::default());
    if let Answer::Linearizable(order) = &answer {
        assert_eq!(check_order(&model(name), &history, order), Ok(()));
    }
    (history, answer)
}
