package dev.eventing.samples.dashboard.web;

import java.util.List;

/**
 * The contents of a user's page.
 *
 * @param title the name of the house
 * @param view the live view that it follows
 * @param slotSeconds how long a slot of its charts is
 * @param keys the keys that it follows
 */
record Board(String title, String view, long slotSeconds, List<String> keys) {

}
