package dev.eventing.sdk.actuate;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.convert.ConversionServiceParameterValueMapper;
import org.springframework.boot.actuate.endpoint.invoke.reflect.OperationMethod;
import org.springframework.boot.actuate.endpoint.invoke.reflect.ReflectiveOperationInvoker;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

class EndpointRequestsTests {

	private static final SecurityContext NOBODY = new SecurityContext() {

		@Override
		public @Nullable Principal getPrincipal() {
			return null;
		}

		@Override
		public boolean isUserInRole(String role) {
			return false;
		}

	};

	@Test
	void refuseNamesThatNothingReads() {
		assertThat(answer(DeadLettersEndpoint.ID, Map.of("change", "discard", "dryrun", "true"))).contains("'dryrun'",
				"Consider 'dryRun'", "400");
		assertThat(answer(ProjectorsEndpoint.ID, Map.of("change", "pause", "chang", "x"))).contains("'chang'")
			.doesNotContain("'change'");
	}

	@Test
	void nameTheValueThatCannotBeRead() {
		assertThat(answer(DeadLettersEndpoint.ID, Map.of("change", "discard", "rate", "many")))
			.contains("'rate' cannot be 'many'", "a whole number", "400");
		assertThat(answer(DeadLettersEndpoint.ID, Map.of("change", "discard", "dryRun", "perhaps")))
			.contains("'dryRun' cannot be 'perhaps'", "true or false");
	}

	@Test
	void passTheOthersOn() {
		assertThat(answer(DeadLettersEndpoint.ID, Map.of("change", "discard", "dryRun", "true", "rate", "5")))
			.isEqualTo("discard true 5");
	}

	@Test
	void leaveOtherEndpointsAlone() {
		assertThat(answer("loggers", Map.of("change", "discard", "dryrun", "true"))).isEqualTo("discard null null");
	}

	private static String answer(String endpoint, Map<String, Object> arguments) {
		OperationMethod method = new OperationMethod(ReflectionUtils.getUniqueDeclaredMethods(Target.class)[0],
				OperationType.WRITE);
		OperationInvoker plain = new ReflectiveOperationInvoker(new Target(), method,
				new ConversionServiceParameterValueMapper());
		Object answer = new EndpointRequests()
			.apply(EndpointId.of(endpoint), OperationType.WRITE, method.getParameters(), plain)
			.invoke(new InvocationContext(NOBODY, arguments));
		return (answer instanceof WebEndpointResponse<?> response && response.getBody() instanceof byte[] body)
				? response.getStatus() + " " + new String(body, StandardCharsets.UTF_8) : String.valueOf(answer);
	}

	/** An endpoint. */
	static final class Target {

		public String change(@Selector String change, SecurityContext security, @Nullable Boolean dryRun,
				@Nullable Integer rate) {
			return change + " " + dryRun + " " + rate;
		}

	}

}
