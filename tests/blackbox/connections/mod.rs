//! Clients that are slow. Most of these tests wait for the server's time-outs. Tests start in the order of their names, so that with
//! this one others run meanwhile.

mod slow_clients;
mod slow_viewers;
