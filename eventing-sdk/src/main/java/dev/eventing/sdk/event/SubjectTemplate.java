package dev.eventing.sdk.event;

import java.util.Arrays;
import java.util.List;

import dev.eventing.sdk.EventingException;
import org.jspecify.annotations.Nullable;

/**
 * A subject in which {@code {tenant}} may replace one token. In a consumer's filter the
 * tenant becomes {@code *}. The wildcards {@code *} and {@code >} keep their NATS
 * meaning.
 */
public final class SubjectTemplate {

	/** The token that stands for the tenant. */
	public static final String TENANT = "{tenant}";

	private final String template;

	private final List<String> tokens;

	private final int tenantToken;

	private SubjectTemplate(String template, List<String> tokens, int tenantToken) {
		this.template = template;
		this.tokens = tokens;
		this.tenantToken = tenantToken;
	}

	/**
	 * Reads a template.
	 * @throws InvalidSubjectException if it is empty, or has an empty token, white space,
	 * a wildcard inside a token, {@code >} before the end, another placeholder, or
	 * {@code {tenant}} twice
	 */
	public static SubjectTemplate of(String template) {
		List<String> tokens = Arrays.asList(template.split("\\.", -1));
		int tenant = -1;
		for (int i = 0; i < tokens.size(); i++) {
			String token = tokens.get(i);
			if (token.equals(TENANT)) {
				require(tenant < 0, template, "has " + TENANT + " twice");
				tenant = i;
			}
			else {
				checkToken(template, token, i == tokens.size() - 1);
			}
		}
		return new SubjectTemplate(template, tokens, tenant);
	}

	private static void checkToken(String template, String token, boolean last) {
		require(!token.isEmpty(), template, "is empty or has an empty token");
		require(token.chars().noneMatch((c) -> c <= ' ' || c == 127), template,
				"has white space or a control character");
		require(!token.contains("*") || token.equals("*"), template, "has '*' as part of a token");
		require(!token.contains(">") || (token.equals(">") && last), template, "has '>' before its end");
		require(!token.contains("{") && !token.contains("}"), template,
				"has a placeholder other than " + TENANT + ", or one that is not a token of its own");
	}

	private static void require(boolean condition, String template, String problem) {
		if (!condition) {
			throw new InvalidSubjectException(template, problem);
		}
	}

	/**
	 * Checks a subject to publish to.
	 * @throws InvalidSubjectException if it is no valid subject or has a wildcard or
	 * placeholder
	 */
	static void requireConcrete(String subject) {
		if (isPlain(subject)) {
			return;
		}
		SubjectTemplate template = of(subject);
		require(!template.hasTenant(), subject, "has " + TENANT + " unresolved and cannot be published to");
		template.requireNoWildcards();
	}

	/**
	 * A fast check for each event's subject, which does not split it: true if the subject
	 * is certainly valid.
	 */
	private static boolean isPlain(String subject) {
		char before = '.';
		for (int i = 0; i < subject.length(); i++) {
			char c = subject.charAt(i);
			if ((c == '.' && before == '.') || c <= ' ' || c == 127 || c == '*' || c == '>' || c == '{' || c == '}') {
				return false;
			}
			before = c;
		}
		return before != '.';
	}

	private void requireNoWildcards() {
		require(!this.tokens.contains("*") && !this.tokens.contains(">"), this.template,
				"has wildcards and cannot be published to");
	}

	/** The subject filter of a consumer: {@code *} in place of the tenant. */
	public String filter() {
		return this.template.replace(TENANT, "*");
	}

	/** Whether it contains {@code {tenant}}. */
	public boolean hasTenant() {
		return this.tenantToken >= 0;
	}

	/** Whether a concrete subject matches this template. */
	public boolean matches(String subject) {
		int start = 0;
		for (String token : this.tokens) {
			if (start > subject.length()) {
				return false; // the subject has fewer tokens
			}
			if (token.equals(">")) {
				return true;
			}
			int end = endOfToken(subject, start);
			boolean any = token.equals("*") || token.equals(TENANT);
			if (!any && !(token.length() == end - start && subject.startsWith(token, start))) {
				return false;
			}
			start = end + 1;
		}
		return start > subject.length();
	}

	private static int endOfToken(String subject, int start) {
		int dot = subject.indexOf('.', start);
		return (dot >= 0) ? dot : subject.length();
	}

	/**
	 * The token at the tenant's position in a subject that {@link #matches}, valid or
	 * not; null if the template has no tenant.
	 * @throws InvalidSubjectException if the subject ends before the tenant's position
	 */
	public @Nullable String tenantToken(String subject) {
		if (!hasTenant()) {
			return null;
		}
		int start = 0;
		for (int i = 0; i < this.tenantToken; i++) {
			start = endOfToken(subject, start) + 1;
			require(start <= subject.length(), subject, "does not match '" + this.template + "'");
		}
		return subject.substring(start, endOfToken(subject, start));
	}

	/**
	 * The concrete subject for a tenant.
	 * @throws InvalidSubjectException if the template has wildcards, because no event can
	 * be published to them
	 */
	public String resolve(TenantId tenant) {
		requireNoWildcards();
		return this.template.replace(TENANT, tenant.value());
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof SubjectTemplate that && that.template.equals(this.template);
	}

	@Override
	public int hashCode() {
		return this.template.hashCode();
	}

	@Override
	public String toString() {
		return this.template;
	}

	/** A subject or subject template is not valid. */
	public static class InvalidSubjectException extends EventingException {

		private static final long serialVersionUID = 1L;

		InvalidSubjectException(String subject, String problem) {
			super("Subject " + Quoted.of(subject) + " " + problem
					+ ". Consider tokens of letters, digits, '_' and '-' joined by dots, such as 'orders.{tenant}.placed'.");
		}

	}

}
