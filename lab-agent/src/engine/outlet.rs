//! The way out of a run: what happens goes to whoever asked for it, and the run
//! ends when they go away.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::SessionProgress;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tonic::Status;

use crate::fault::{Fault, Outcome};

/// Where a run puts what happens.
pub type Outlet<T> = Sender<Result<T, Status>>;

/// Runs `work` until it is through or nobody takes anything any more; `room`
/// things may wait on the way. Why it failed comes last.
pub fn run<T, W>(room: usize, work: impl FnOnce(Outlet<T>) -> W) -> Receiver<Result<T, Status>>
where
    T: Send + 'static,
    W: Future<Output = Result<(), Status>> + Send + 'static,
{
    let (outlet, receiver) = channel(room);
    let work = work(outlet.clone());
    tokio::spawn(async move {
        tokio::select! {
            () = outlet.closed() => {}
            ended = work => if let Err(status) = ended {
                // Nobody listens when the caller has gone.
                let _ = outlet.send(Err(status)).await;
            }
        }
    });
    receiver
}

/// Puts something in; waits for room.
pub async fn send<T>(outlet: &Outlet<T>, what: T) -> Outcome<()> {
    outlet.send(Ok(what)).await.map_err(|_| gone())
}

/// Who asked does not listen any more.
pub fn gone() -> Fault {
    Fault::Failed("the caller went away".into())
}

/// A run's next stage.
pub fn stage(name: &str) -> SessionProgress {
    SessionProgress {
        stage: name.into(),
        share: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn why_a_run_failed_comes_last() {
        let mut told = run(1, |outlet| async move {
            send(&outlet, 1).await?;
            send(&outlet, 2).await?;
            Err(Status::aborted("over"))
        });
        assert_eq!(told.recv().await.unwrap().unwrap(), 1);
        assert_eq!(told.recv().await.unwrap().unwrap(), 2);
        let status = told.recv().await.unwrap().unwrap_err();
        assert_eq!(status.message(), "over");
        assert!(told.recv().await.is_none());
    }

    #[tokio::test]
    async fn a_run_ends_with_its_caller() {
        let (held, ended) = tokio::sync::oneshot::channel::<()>();
        let told = run(1, |_: Outlet<u32>| async move {
            let _held = held;
            std::future::pending().await
        });
        drop(told);
        // The run has let go of what it held.
        assert!(ended.await.is_err());
    }
}
