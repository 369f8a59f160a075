//! Rules of what an agent may run (harness #429): the rules of a program are
//! fetched and cloned, one is added, and the list is inserted. Of two that add,
//! one is lost. The entry is changed where it is.
//@ finding: Policy::add_prefix_rule
use dashmap::DashMap;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Decision {
    Allow,
    Prompt,
    Forbidden,
}

#[derive(Clone)]
pub struct PrefixRule {
    pattern: Arc<[String]>,
    decision: Decision,
}

impl PrefixRule {
    fn matches(&self, command: &[String]) -> Option<Decision> {
        let fits = command.len() >= self.pattern.len()
            && self.pattern.iter().zip(command).all(|(a, b)| a == b);
        fits.then_some(self.decision)
    }
}

#[derive(Debug)]
pub enum PolicyError {
    EmptyPrefix,
}

#[derive(Clone, Default)]
pub struct Policy {
    rules_by_program: Arc<DashMap<String, Vec<PrefixRule>>>,
}

impl Policy {
    pub fn rules(&self, program: &str) -> Vec<PrefixRule> {
        let found = self.rules_by_program.get(program);
        found.map(|rules| rules.value().clone()).unwrap_or_default()
    }

    pub fn add_prefix_rule(
        &self,
        prefix: &[String],
        decision: Decision,
    ) -> Result<(), PolicyError> {
        let (program, _) = prefix.split_first().ok_or(PolicyError::EmptyPrefix)?;
        let rule = PrefixRule {
            pattern: prefix.into(),
            decision,
        };
        #[cfg(not(fixed))]
        {
            let mut rules = self.rules(program);
            rules.push(rule);
            self.rules_by_program.insert(program.clone(), rules);
        }
        #[cfg(fixed)]
        {
            let mut rules = self.rules_by_program.entry(program.clone()).or_default();
            rules.push(rule);
        }
        Ok(())
    }

    pub fn check(&self, command: &[String]) -> Decision {
        let Some(program) = command.first() else {
            return Decision::Prompt;
        };
        let rules = self.rules(program);
        let decisions = rules.iter().filter_map(|rule| rule.matches(command));
        decisions.max().unwrap_or(Decision::Prompt)
    }
}
