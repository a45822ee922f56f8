package dev.eventing.samples.orders.demo;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of a run.
 *
 * @param count how many orders are published, at least 10
 * @param seed another seed gives other orders
 * @param timeout how long the projectors may take once all is published
 * @param terminal whether the progress line may rewrite itself
 */
@ConfigurationProperties("orders")
public record OrdersProperties(@DefaultValue("2000") int count, @DefaultValue("4") long seed,
		@DefaultValue("5m") Duration timeout, boolean terminal) {

	public OrdersProperties {
		if (count < 10) {
			throw new IllegalArgumentException("Consider 10 orders or more, not " + count + ".");
		}
	}

}
