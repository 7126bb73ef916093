//! Disk errors while a server starts. It starts, or says why not and exits. Without the errors it starts with all data.

use rustix::io::Errno;
use tests::{
    fault_injector::{DiskOperation, Fault, FaultInjector},
    random::fault_factor,
    report::report,
    server::{Server, Settings},
    store::{Backend, Store},
};

use super::{invariants::check_server, workload::Workload, write_log::WriteLog};

/// Whether a server with this fault refuses to start. Checks the message and exit status if it does.
async fn refuses(injector: &FaultInjector, settings: &Settings, store: &Store, fault: Fault) -> bool {
    injector.set_faults(&[fault]);
    let started = Server::try_start(settings, store).await;
    injector.set_faults(&[]);
    let Err((ended, said)) = started else { return false };
    assert_eq!(ended.code(), Some(1), "{fault:?}: {said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("aweave-server: ") && !said.contains("panicked"), "{fault:?}: {said}");
    let (folder, remedy) = (store.path().parent().expect("a folder").to_str().expect("plain names"), "; check that");
    assert!(
        last.contains(folder) && last.contains(remedy),
        "the message does not name the folder and a remedy: {last}"
    );
    true
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_error_during_start_costs_only_that_start() {
    let mut refused = 0;
    // Short runs try only the first operations of each kind.
    let most = if fault_factor() == 1 { 2 } else { u64::MAX };
    for fresh in [true, false] {
        for operation in DiskOperation::ALL {
            for skipped in 0..most {
                let home = tempfile::TempDir::new().unwrap();
                let store = Store::fresh_on(Backend::Sqlite, home.path());
                let injector = FaultInjector::for_store(&store);
                let settings = injector.apply_to(Settings::new());
                let mut writes = Vec::new();
                if !fresh {
                    // The kill leaves a write-ahead log to recover.
                    let mut server = Server::on_store(settings.clone(), &store).await;
                    let mut workload = Workload::start(&server.client(), 2, skipped, WriteLog::new(|| 0));
                    workload.run_for(10).await;
                    writes = workload.end().await;
                    server.kill();
                }
                let before = injector.injected_failures();
                let fault = Fault::Fail { operation, errno: Errno::IO, skipped, times: u64::MAX };
                if refuses(&injector, &settings, &store, fault).await {
                    refused += 1;
                }
                let server = Server::on_store(settings, &store).await;
                assert_eq!(check_server(&server, &writes).await, Ok(()), "{fault:?}");
                if injector.injected_failures() == before {
                    break;
                }
            }
        }
    }
    assert!(refused > 0, "no start was refused, so the test proves nothing");
    report(&format!("{refused} starts were refused as the disk failed"));
}
