package dev.eventing.samples.dashboard.run;

/**
 * Something that is killed, and comes back.
 *
 * @param what its name
 * @param kill kills it at once
 * @param restart starts it again
 */
record Failure(String what, Runnable kill, Runnable restart) {

}
