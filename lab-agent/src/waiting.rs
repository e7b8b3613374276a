//! Work that waits for the kernel. A guest has one processor and its service one
//! thread, which must not.
// SPDX-License-Identifier: Apache-2.0
use crate::fault::{Fault, Outcome};

/// Runs what waits for the kernel off the service's thread.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> Outcome<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Fault::Failed(format!("{error} in the guest"))))
}
