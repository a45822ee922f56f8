package dev.eventing.samples.dashboard.house;

/**
 * A kind of units that can be reserved.
 *
 * @param key unique within its house
 * @param title its name for people, which no other house has
 * @param units how many there are
 */
public record Resource(String key, String title, int units) {

}
