package dev.eventing.samples.dashboard;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of a run.
 *
 * @param eventsPerSecond how many events come in a second, of both houses together
 * @param password what both users log in with
 */
@ConfigurationProperties("dashboard")
public record DashboardProperties(@DefaultValue("400") int eventsPerSecond, @DefaultValue("") String password) {

}
