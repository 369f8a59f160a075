//! Sessions of a game server (oxide #34): a client sends its request twice. Both
//! find no session, and the second session replaces the one whose seed the
//! client uses. The first one is kept now.
//@ finding: ChannelManager
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard};

#[derive(Clone, Copy)]
pub struct Session {
    pub session_id: u32,
    pub crc_length: u8,
    pub crc_seed: u32,
}

#[derive(Default)]
pub struct Channel {
    session: Option<Session>,
    send_queue: Vec<Vec<u8>>,
}

#[derive(Default)]
pub struct ChannelManager {
    channels: RwLock<BTreeMap<u32, Mutex<Channel>>>,
}

pub enum ProtocolError {
    UnknownClient(u32),
}

impl ChannelManager {
    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<u32, Mutex<Channel>>> {
        self.channels.read().unwrap()
    }

    fn lock<'a>(
        channels: &'a BTreeMap<u32, Mutex<Channel>>,
        client: u32,
    ) -> Result<MutexGuard<'a, Channel>, ProtocolError> {
        let channel = channels.get(&client);
        let channel = channel.ok_or(ProtocolError::UnknownClient(client))?;
        Ok(channel.lock().unwrap())
    }

    pub fn connect(&self, client: u32) {
        self.channels.write().unwrap().entry(client).or_default();
    }

    fn has_session(&self, client: u32) -> Result<bool, ProtocolError> {
        let channels = self.read();
        Ok(Self::lock(&channels, client)?.session.is_some())
    }

    #[cfg(not(fixed))]
    pub fn process_session_request(
        &self,
        client: u32,
        session_id: u32,
        seed: fn() -> u32,
    ) -> Result<(), ProtocolError> {
        if self.has_session(client)? {
            return Ok(());
        }
        let session = Session {
            session_id,
            crc_length: 3,
            crc_seed: seed(),
        };
        let channels = self.read();
        let mut channel = Self::lock(&channels, client)?;
        channel.session = Some(session);
        channel
            .send_queue
            .push(session.crc_seed.to_be_bytes().to_vec());
        Ok(())
    }

    #[cfg(fixed)]
    pub fn process_session_request(
        &self,
        client: u32,
        session_id: u32,
        seed: fn() -> u32,
    ) -> Result<(), ProtocolError> {
        let channels = self.read();
        let mut channel = Self::lock(&channels, client)?;
        let session = *channel.session.get_or_insert_with(|| Session {
            session_id,
            crc_length: 3,
            crc_seed: seed(),
        });
        channel
            .send_queue
            .push(session.crc_seed.to_be_bytes().to_vec());
        Ok(())
    }
}
