package dev.eventing.sdk.actuate;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.eventing.sdk.operator.InvalidRequestException;
import dev.eventing.sdk.operator.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.invoke.ParameterMappingException;

/**
 * Refuses calls of the SDK's endpoints with a name that they do not know. Actuator itself
 * ignores unknown names, and a misspelt filter would select all letters. Also names the
 * value that Actuator cannot convert. Does not touch other endpoints. Thread-safe.
 */
public final class EndpointRequests implements OperationInvokerAdvisor {

	private static final Set<EndpointId> OURS = Set.of(EndpointId.of(DeadLettersEndpoint.ID),
			EndpointId.of(ProjectorsEndpoint.ID), EndpointId.of(ErasuresEndpoint.ID));

	@Override
	public OperationInvoker apply(EndpointId endpoint, OperationType operation, OperationParameters parameters,
			OperationInvoker invoker) {
		return OURS.contains(endpoint) ? (context) -> invoke(context, parameters.stream().toList(), invoker) : invoker;
	}

	private static @Nullable Object invoke(InvocationContext context, List<OperationParameter> parameters,
			OperationInvoker invoker) {
		try {
			check(context.getArguments(), parameters);
			return invoker.invoke(context);
		}
		catch (InvalidRequestException ex) {
			return JsonResponses.problem(Problem.of(ex));
		}
		catch (ParameterMappingException ex) {
			return JsonResponses.problem(Problem.of(InvalidRequestException.unreadable(ex.getParameter().getName(),
					String.valueOf(ex.getValue()), ex.getParameter().getType())));
		}
	}

	private static void check(Map<String, Object> arguments, List<OperationParameter> parameters) {
		List<OperationParameter> named = parameters.stream()
			.filter((parameter) -> parameter.getType() != SecurityContext.class)
			.toList();
		List<String> known = named.stream().map(OperationParameter::getName).toList();
		for (String name : arguments.keySet()) {
			if (!known.contains(name)) {
				throw InvalidRequestException.unknown(name,
						named.stream()
							.filter((parameter) -> Objects.isNull(parameter.getAnnotation(Selector.class)))
							.map(OperationParameter::getName)
							.toList());
			}
		}
	}

}
