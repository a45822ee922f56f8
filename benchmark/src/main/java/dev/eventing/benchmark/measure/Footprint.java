package dev.eventing.benchmark.measure;

/**
 * What a node needs for its clients.
 *
 * @param bytesPerConnection of the heap for a connection that follows what others follow
 * @param bytesPerKey of the heap for a key that nobody followed before
 */
public record Footprint(double bytesPerConnection, double bytesPerKey) {
}
