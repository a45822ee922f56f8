package dev.eventing.samples.dashboard.desk;

/**
 * A reservation that is open.
 *
 * @param units how many of the resource
 * @param committed whether it was taken; otherwise it is held
 */
record Reservation(int units, boolean committed) {

}
