//! Host and port are replaced together and read one after the other.
//@ finding: Client::address
use std::sync::RwLock;

#[derive(Clone)]
pub struct Endpoint {
    host: String,
    port: u16,
    weight: u8,
}

pub struct Client {
    endpoint: RwLock<Endpoint>,
    retries: u32,
}

impl Client {
    pub fn new(host: &str, port: u16) -> Client {
        let endpoint = Endpoint {
            host: host.to_owned(),
            port,
            weight: 1,
        };
        Client {
            endpoint: RwLock::new(endpoint),
            retries: 3,
        }
    }
    pub fn host(&self) -> String {
        self.endpoint.read().unwrap().host.clone()
    }
    pub fn port(&self) -> u16 {
        self.endpoint.read().unwrap().port
    }
    pub fn retries(&self) -> u32 {
        self.retries
    }
    /// What discovery calls when the service has moved.
    pub fn moved(&self, host: String, port: u16) {
        let mut endpoint = self.endpoint.write().unwrap();
        endpoint.host = host;
        endpoint.port = port;
        endpoint.weight = 1;
    }
    #[cfg(not(fixed))]
    pub fn address(&self) -> String {
        let host = self.host();
        let port = self.port();
        format!("{host}:{port}")
    }
    #[cfg(fixed)]
    pub fn address(&self) -> String {
        let endpoint = self.endpoint.read().unwrap();
        format!("{}:{}", endpoint.host, endpoint.port)
    }
}
