package dev.eventing.sdk.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.annotation.AliasFor;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class FindsHandlersTests extends HandlerSamples {

	@Nested
	class FindsHandlers {

		@Test
		void onAPlainBean() throws Exception {
			try (TestContext context = new TestContext(Seen.class, Plain.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("Plain-on");
				assertThat(context.endpoint().durableName()).isEqualTo("Plain-on-consumer");
				assertThat(context.endpoint().stream()).isNull();
				assertThat(context.endpoint().filterSubjects()).containsExactly("*.order.placed");
				assertThat(context.handler().description()).isEqualTo("Plain.on(Placed)");
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).payloads).containsExactly(PLACED);
			}
		}

		@Test
		void throughAComposedAnnotation() {
			try (TestContext context = new TestContext(Seen.class, Composed.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("composed");
				assertThat(context.endpoint().filterSubjects()).containsExactly("*.order.placed");
				assertThat(context.endpoint().options().get(ProjectorSettings::maxDeliver)).isEqualTo(7);
			}
		}

		@Test
		void onAGenericSuperclassOnceWithTheTypeTheSubclassBinds() throws Exception {
			try (TestContext context = new TestContext(Seen.class, OfPlaced.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("OfPlaced-on");
				assertThat(context.handler().payloadTypes().values()).containsExactly(Placed.class);
				assertThat(context.handler().payloadTypes()).containsOnlyKeys("Placed");
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).payloads).containsExactly(PLACED);
			}
		}

		@Test
		void onceWhereAnOverrideHasABridgeMethod() throws Exception {
			try (TestContext context = new TestContext(Seen.class, Overriding.class).start()) {
				assertThat(context.handler().payloadTypes().values()).containsExactly(Placed.class);
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).payloads).containsExactly("overridden");
			}
		}

		@Test
		void onALazyBeanWhichItCreates() {
			try (TestContext context = new TestContext(Seen.class, LazyHandlers.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("LazyHandlers-on");
			}
		}

		@Test
		void onALazyBeanThatAMethodDeclares() {
			try (TestContext context = new TestContext(Seen.class, LazyDeclaration.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("Plain-on");
			}
		}

		@Test
		void onASingletonThatWasRegisteredReady() {
			try (TestContext context = new TestContext(Seen.class)) {
				context.with((spring) -> spring.getBeanFactory().registerSingleton("ready", new Plain(new Seen())))
					.start();
				assertThat(context.endpoint().name()).isEqualTo("Plain-on");
			}
		}

		@Test
		void onWhatAFactoryBeanMakes() {
			try (TestContext context = new TestContext(Seen.class, PlainFactory.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("Plain-on");
			}
		}

		@Test
		void onAFactoryBeanItself() throws Exception {
			try (TestContext context = new TestContext(Seen.class, ListeningFactory.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("ListeningFactory-on");
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).payloads).containsExactly(PLACED);
			}
		}

		@Test
		void onAConfigurationClassUnderItsOwnName() {
			try (TestContext context = new TestContext(Seen.class, ListeningConfiguration.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("ListeningConfiguration-on");
			}
		}

		@Test
		void behindAScopedProxyAndCallsTheTargetOfTheScope() throws Exception {
			try (TestContext context = new TestContext(Seen.class, Scoped.class)) {
				context.with(Scopes::thread).start();
				assertThat(context.endpoint().name()).isEqualTo("Scoped-on");
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).payloads).containsExactly(PLACED);
			}
		}

		@Test
		@ExtendWith(OutputCaptureExtension.class)
		void tooLateWhereTheTypeHidesThemAndWarns(CapturedOutput output) {
			try (TestContext context = new TestContext(Seen.class, HiddenType.class).start()) {
				assertThat(context.endpoints()).isEmpty();
				assertThat(output).contains("Of these lazy beans only an interface or a base class is known",
						"[hidden (java.lang.Runnable), ofABase (" + Base.class.getName()
								+ "), ofAnyClass (java.lang.Object)]");
				for (String bean : List.of("hidden", "ofABase", "ofAnyClass")) {
					context.with((spring) -> spring.getBean(bean));
					assertThat(output).contains("Bean '" + bean + "'", "so its handlers [", "without @Lazy");
				}
				assertThat(output).contains("[Derived.on(Placed)] get no events");
			}
		}

		@Test
		@ExtendWith(OutputCaptureExtension.class)
		void tooLateWhereASubclassHasThemAndWarns(CapturedOutput output) {
			try (TestContext context = new TestContext(Seen.class, HiddenSubclasses.class)) {
				context.with(Scopes::thread).start();
				assertThat(context.endpoints()).isEmpty();
				assertThat(output).doesNotContain("Of these lazy beans");
				for (String bean : List.of("lazy", "prototype", "prototype")) {
					context.with((spring) -> spring.getBean(bean));
				}
				context.with((spring) -> spring.getBean("scoped", OpenBase.class).touch());
				for (String bean : List.of("lazy", "prototype", "scoped")) {
					assertThat(output).containsOnlyOnce("Bean '" + bean + "' (" + Listening.class.getName()
							+ ") was created after the start of the projectors, so its handlers [Listening.on(Placed)]");
				}
			}
		}

		@Test
		@ExtendWith(OutputCaptureExtension.class)
		void butWarnsOfBeansOfOtherKindsThatComeTooLate(CapturedOutput output) {
			try (TestContext context = new TestContext(OtherKinds.class)) {
				context.with(Scopes::thread)
					.with((spring) -> spring.registerBean(BeanKinds.class,
							() -> (type) -> Work.class.isAssignableFrom(type) ? new BeanKind("is a job", true) : null))
					.start();
				assertThat(output).contains("Of these lazy beans only an interface or a base class is known",
						"[hidden (" + Job.class.getName() + ")]");
				for (String bean : List.of("hidden", "hiddenPrototype", "hiddenPrototype", "work", "prototype",
						"made")) {
					context.with((spring) -> spring.getBean(bean));
				}
				context.with((spring) -> spring.getBean("scoped", Work.class).touch());
				for (String bean : List.of("hidden", "hiddenPrototype")) {
					assertThat(output).containsOnlyOnce("Bean '" + bean + "' (" + Work.class.getName()
							+ ") is a job, but it was created after the start of the SDK, so the SDK does not see it."
							+ " Consider declaring it with its own class as type, or as a singleton without @Lazy.");
				}
				for (String bean : List.of("work", "prototype", "made", "scoped")) {
					assertThat(output).doesNotContain("Bean '" + bean + "'");
				}
			}
		}

		@Test
		void ofABeanThatAMethodDeclaresAsAnyObject() {
			try (TestContext context = new TestContext(Seen.class, DeclaredAsObject.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("Plain-on");
			}
		}

		@Test
		void ifThereAreNoneAndAsksForNothing() {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.register(ProjectorAnnotationBeanPostProcessor.class, Seen.class);
				assertThatNoException().isThrownBy(context::refresh);
			}
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@ProjectorEventHandler(subject = "overridden", projectorName = "composed", maxDeliver = 7)
	@interface OnOrder {

		@AliasFor(annotation = ProjectorEventHandler.class, attribute = "subject")
		String value();

	}

	static class Composed {

		@OnOrder("{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	abstract static class Generic<E> {

		@Autowired
		Seen seen;

		@ProjectorEventHandler(subject = "{tenant}.order.>")
		public void on(E event) {
			this.seen.add(event);
		}

	}

	static class OfPlaced extends Generic<Placed> {

	}

	static class Overriding extends Generic<Placed> {

		@Override
		public void on(Placed event) {
			this.seen.add("overridden");
		}

	}

	@Lazy
	static class LazyHandlers extends Plain {

		LazyHandlers(Seen seen) {
			super(seen);
		}

	}

	@Configuration
	static class LazyDeclaration {

		@Bean
		@Lazy
		Plain plain(Seen seen) {
			return new Plain(seen);
		}

	}

	@Configuration
	static class HiddenType {

		@Bean
		@Lazy
		Runnable hidden() {
			return new NotInInterface();
		}

		@Bean
		@Lazy
		Base ofABase() {
			return new Derived();
		}

		@Bean
		@Lazy
		Object ofAnyClass() {
			return new Derived();
		}

	}

	abstract static class Base {

	}

	static class Derived extends Base {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	@Configuration
	static class HiddenSubclasses {

		@Bean
		@Lazy
		OpenBase lazy() {
			return new Listening();
		}

		@Bean
		@Scope("prototype")
		OpenBase prototype() {
			return new Listening();
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
		OpenBase scoped() {
			return new Listening();
		}

	}

	static class OpenBase {

		void touch() {
		}

	}

	static class Listening extends OpenBase {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	interface Job {

	}

	/** Of another kind than handlers. */
	static class Work implements Job {

		void touch() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherKinds {

		@Bean
		@Lazy
		Job hidden() {
			return new Work();
		}

		@Bean
		@Scope("prototype")
		Job hiddenPrototype() {
			return new Work();
		}

		@Bean
		@Lazy
		Work work() {
			return new Work();
		}

		@Bean
		@Scope("prototype")
		Work prototype() {
			return new Work();
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Work scoped() {
			return new Work();
		}

		@Bean
		WorkFactory made() {
			return new WorkFactory();
		}

	}

	static class WorkFactory implements FactoryBean<Work> {

		@Override
		public Work getObject() {
			return new Work();
		}

		@Override
		public Class<?> getObjectType() {
			return Work.class;
		}

	}

	@Configuration
	static class DeclaredAsObject {

		@Bean
		Object plain(Seen seen) {
			return new Plain(seen);
		}

	}

	static class PlainFactory implements FactoryBean<Plain> {

		@Override
		public Plain getObject() {
			return new Plain(new Seen());
		}

		@Override
		public Class<?> getObjectType() {
			return Plain.class;
		}

	}

	static class ListeningFactory extends Plain implements FactoryBean<String> {

		ListeningFactory(Seen seen) {
			super(seen);
		}

		@Override
		public String getObject() {
			return "made";
		}

		@Override
		public Class<?> getObjectType() {
			return String.class;
		}

	}

	@Configuration
	static class ListeningConfiguration {

		@Bean
		String something() {
			return "something";
		}

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	static final class Scopes {

		private Scopes() {
		}

		static void thread(AnnotationConfigApplicationContext context) {
			context.getBeanFactory().registerScope("thread", new SimpleThreadScope());
		}

	}

	@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class Scoped {

		@Autowired
		Seen seen;

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		public void on(Placed event) {
			this.seen.add(event);
		}

	}

}
