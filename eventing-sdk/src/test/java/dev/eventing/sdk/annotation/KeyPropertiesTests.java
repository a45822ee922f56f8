package dev.eventing.sdk.annotation;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class KeyPropertiesTests {

	@ParameterizedTest
	@ValueSource(strings = { "payload.customer", "payload.address.city", "payload.address?.city",
			"payload.attributes.any", "payload.attributes['any']", "tenantId.value", "streamId",
			"payload.customer + '/' + payload.address.city", "payload.customer ?: streamId",
			"payload.address != null ? payload.address.city : streamId", "'one'", "payload.any.thing" })
	void mayBeRead(String key) {
		assertThat(KeyProperties.problem(key, Placed.class)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "payload.custmer", "payload?.custmer", "'x-' + payload.custmer",
			"payload.custmer ?: streamId", "payload.address != null ? payload.custmer : streamId" })
	void areNamedIfTheClassDoesNotHaveThem(String key) {
		assertThat(KeyProperties.problem(key, Placed.class)).isEqualTo("its key '" + key
				+ "' reads property 'custmer', which Placed does not have. Consider a property that it has, or leaving"
				+ " key out.");
	}

	@Test
	void areNamedFurtherInside() {
		assertThat(KeyProperties.problem("payload.address.town", Placed.class))
			.contains("reads property 'town', which Address does not have");
		assertThat(KeyProperties.problem("paylod.customer", Placed.class))
			.contains("reads property 'paylod', which Event does not have");
	}

	@Test
	void areThoseOfGettersAndFieldsToo() {
		assertThat(KeyProperties.problem("payload.name", Bean.class)).isNull();
		assertThat(KeyProperties.problem("payload.visible", Bean.class)).isNull();
		assertThat(KeyProperties.problem("payload.hidden", Bean.class)).contains("'hidden'");
	}

	/** A class below may have it. */
	@ParameterizedTest
	@ValueSource(classes = { Shape.class, JsonNode.class, Map.class, Object[].class })
	void areNotKnownOfAbstractTypes(Class<?> payload) {
		assertThat(KeyProperties.problem("payload.anything", payload)).isNull();
	}

	record Placed(String customer, Address address, Map<String, String> attributes, Object any) {
	}

	record Address(String city) {
	}

	interface Shape {

	}

	public static class Bean {

		public String visible = "";

		String hidden = "";

		public String getName() {
			return "";
		}

	}

}
