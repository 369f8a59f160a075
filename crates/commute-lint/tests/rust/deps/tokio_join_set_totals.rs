//! A crawl counts the pages of each site: a task reads the count, fetches and
//! stores the sum. Tasks of one site lose pages. The sum is now made where it
//! is stored.
//@ finding: crawl
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::RwLock;
use tokio::task::JoinSet;

type Totals = Arc<RwLock<HashMap<String, usize>>>;

pub trait Fetch: Send + Sync + 'static {
    fn fetch(&self, url: &str) -> impl Future<Output = Vec<String>> + Send;
}

#[cfg(not(fixed))]
async fn crawl<F: Fetch>(fetch: Arc<F>, totals: Totals, site: String) -> usize {
    let before = totals.read().await.get(&site).copied().unwrap_or(0);
    let pages = fetch.fetch(&site).await.len();
    totals.write().await.insert(site, before + pages);
    pages
}

#[cfg(fixed)]
async fn crawl<F: Fetch>(fetch: Arc<F>, totals: Totals, site: String) -> usize {
    let pages = fetch.fetch(&site).await.len();
    *totals.write().await.entry(site).or_insert(0) += pages;
    pages
}

pub async fn crawl_all<F: Fetch>(fetch: Arc<F>, totals: Totals, sites: Vec<String>) -> usize {
    let mut tasks = JoinSet::new();
    for site in sites {
        tasks.spawn(crawl(fetch.clone(), totals.clone(), site));
    }
    let mut all = 0;
    while let Some(pages) = tasks.join_next().await {
        all += pages.unwrap_or(0);
    }
    all
}
