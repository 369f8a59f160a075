//! Several maps that belong together, and several entries of one.

use std::collections::HashMap;
use std::hash::Hash;

use commute::Domain;
use commute::compose::{Check, Fresh, check, fresh};
use commute::dashmap::DashMap;
use commute::sync::atomic::{AtomicU64, Ordering::SeqCst};
use commute::sync::{Mutex, RwLock};

use crate::expect::{BothWays, holds_only_without};

/// Names as numbers, and back.
struct Interner<K: Eq + Hash> {
    symbols: DashMap<K, u64>,
    names: DashMap<u64, K>,
    next: AtomicU64,
}

impl<K: Eq + Hash + Clone + 'static> Interner<K> {
    fn new() -> Interner<K> {
        Interner {
            symbols: DashMap::new(),
            names: DashMap::new(),
            next: AtomicU64::new(0),
        }
    }

    fn draw(&self, name: K) -> u64 {
        let symbol = self.next.fetch_add(1, SeqCst);
        self.names.insert(symbol, name);
        symbol
    }

    fn intern(&self, name: K) -> u64 {
        let entry = self.symbols.entry(name.clone());
        *entry.or_insert_with(|| self.draw(name))
    }

    fn look_then_intern(&self, name: K) -> u64 {
        if let Some(symbol) = self.symbols.get(&name) {
            return *symbol;
        }
        let symbol = self.draw(name.clone());
        self.symbols.insert(name, symbol);
        symbol
    }

    fn symbol(&self, name: K) -> Option<Fresh> {
        self.symbols.get(&name).map(|symbol| fresh(*symbol))
    }

    /// What the name of the symbol of a name is.
    fn there_and_back(&self, name: K) -> Option<Option<K>> {
        let symbol = *self.symbols.get(&name)?;
        Some(self.names.get(&symbol).map(|name| name.clone()))
    }
}

fn interner(method: fn(&Interner<String>, String) -> u64) -> Check<Interner<String>> {
    check(Interner::new)
        .method(move |interner: &Interner<String>, name| fresh(method(interner, name)))
        .observe("symbol", Interner::symbol)
        .observe("there_and_back", Interner::there_and_back)
}

#[test]
fn a_name_has_one_symbol_if_its_entry_is_held() {
    interner(Interner::intern).assert_atomic_both_ways();
    holds_only_without(interner(Interner::look_then_intern), [&["itself"]]);
}

/// Names as places in the order in which they came.
#[derive(Default)]
struct Symbols(RwLock<HashMap<&'static str, usize>>);

impl Symbols {
    fn find(&self, name: &'static str) -> Option<usize> {
        self.0.read().unwrap().get(name).copied()
    }
}

#[derive(Domain, Clone, Copy, Debug)]
#[domain(values(Keyword("fn"), Keyword("let")))]
struct Keyword(&'static str);

#[test]
fn who_looked_before_has_to_look_again_in_the_lock() {
    let symbols = || {
        check(Symbols::default).observe("find", |symbols: &Symbols, Keyword(name)| {
            symbols.find(name)
        })
    };
    symbols()
        .method(|symbols: &Symbols, Keyword(name)| {
            symbols.find(name).unwrap_or_else(|| {
                let mut symbols = symbols.0.write().unwrap();
                let next = symbols.len();
                *symbols.entry(name).or_insert(next)
            })
        })
        .assert_atomic_both_ways();
    let once = symbols().method(|symbols: &Symbols, Keyword(name)| {
        symbols.find(name).unwrap_or_else(|| {
            let mut symbols = symbols.0.write().unwrap();
            let next = symbols.len();
            symbols.insert(name, next);
            next
        })
    });
    holds_only_without(once, [&["itself"]]);
}

type Mail = char;

/// Users by number, and by address.
trait Users: Default + 'static {
    fn add(&self, id: u8, mail: Mail) -> Option<Mail>;
    fn mail_of(&self, id: u8) -> Option<Mail>;
    fn user_of(&self, mail: Mail) -> Option<u8>;
}

#[derive(Default)]
struct OneAfterTheOther {
    mails: DashMap<u8, Mail>,
    users: DashMap<Mail, u8>,
}

impl Users for OneAfterTheOther {
    fn add(&self, id: u8, mail: Mail) -> Option<Mail> {
        let before = self.mails.insert(id, mail);
        self.users.insert(mail, id);
        before
    }
    fn mail_of(&self, id: u8) -> Option<Mail> {
        self.mails.get(&id).map(|mail| *mail)
    }
    fn user_of(&self, mail: Mail) -> Option<u8> {
        self.users.get(&mail).map(|id| *id)
    }
}

/// Each map has a lock, and who changes one has both.
#[derive(Default)]
struct BothLocked {
    mails: Mutex<HashMap<u8, Mail>>,
    users: Mutex<HashMap<Mail, u8>>,
}

impl Users for BothLocked {
    fn add(&self, id: u8, mail: Mail) -> Option<Mail> {
        let mut mails = self.mails.lock().unwrap();
        let mut users = self.users.lock().unwrap();
        users.insert(mail, id);
        mails.insert(id, mail)
    }
    fn mail_of(&self, id: u8) -> Option<Mail> {
        self.mails.lock().unwrap().get(&id).copied()
    }
    fn user_of(&self, mail: Mail) -> Option<u8> {
        self.users.lock().unwrap().get(&mail).copied()
    }
}

fn users<U: Users>() -> Check<U> {
    check(U::default)
        .method(|users: &U, (id, mail): (u8, Mail)| users.add(id, mail))
        .observe("mail_of", |users: &U, id: u8| users.mail_of(id))
        .observe("user_of", |users: &U, mail: Mail| users.user_of(mail))
}

/// Against itself it takes two others: one that saw the first map changed, and one that
/// changes the second too early.
#[test]
fn two_maps_are_one_if_both_are_locked() {
    users::<BothLocked>().assert_atomic_both_ways();
    let apart = users::<OneAfterTheOther>;
    holds_only_without(apart(), [&["itself", "mail_of"], &["itself", "user_of"]]);
    let once = apart().steps(1);
    assert!(once.run().is_atomic());
}

#[derive(Domain, Clone, Copy, Debug)]
#[domain(values(Account(1), Account(2), Account(3)))]
struct Account(u8);

/// Money, of which there is never more or less.
struct Bank {
    accounts: DashMap<u8, u8>,
    in_one: Mutex<HashMap<u8, u8>>,
}

impl Bank {
    fn new() -> Bank {
        let all = [(1, 5), (2, 5), (3, 5)];
        Bank {
            accounts: all.into_iter().collect(),
            in_one: Mutex::new(all.into()),
        }
    }

    fn pay(&self, (from, to): (Account, Account)) {
        self.accounts.alter(&from.0, |_, money| money - 1);
        self.accounts.alter(&to.0, |_, money| money + 1);
    }
}

/// Who goes through a map of dashmap holds one part of it after the other.
#[test]
fn a_sum_is_right_if_nobody_moves_money_meanwhile() {
    check(Bank::new)
        .method(|bank: &Bank, ()| bank.in_one.lock().unwrap().values().sum::<u8>())
        .peer("pay", |bank: &Bank, (from, to): (Account, Account)| {
            let mut accounts = bank.in_one.lock().unwrap();
            *accounts.get_mut(&from.0).unwrap() -= 1;
            *accounts.get_mut(&to.0).unwrap() += 1;
        })
        .assert_atomic_both_ways();
    let apart = check(Bank::new)
        .method(|bank: &Bank, ()| bank.accounts.iter().map(|money| *money).sum::<u8>())
        .peer("pay", Bank::pay);
    holds_only_without(apart, [&["pay"]]);
}
