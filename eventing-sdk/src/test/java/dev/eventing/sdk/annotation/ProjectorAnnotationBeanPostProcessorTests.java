package dev.eventing.sdk.annotation;

import java.beans.Introspector;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ProjectorAnnotationBeanPostProcessorTests {

	record Placed(String id) {
	}

	record Shipped(String id) {
	}

	static class Seen {

		final List<Object> payloads = new ArrayList<>();

		final List<Boolean> transactional = new ArrayList<>();

		void add(Object payload) {
			this.payloads.add(payload);
			this.transactional.add(TransactionSynchronizationManager.isActualTransactionActive());
		}

	}

	static final Placed PLACED = new Placed("o-1");

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
				assertThat(context.endpoint().options().retry().maxDeliver()).isEqualTo(7);
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
				context.bean(Runnable.class);
				assertThat(output).contains("Bean 'hidden'", "its handlers get no events", "without @Lazy");
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

	@Nested
	class CallsThroughTheProxy {

		@Test
		void ofASubclass() throws Exception {
			try (TestContext context = new TestContext(Seen.class, SubclassProxies.class, InTransaction.class)
				.start()) {
				assertThat(AopUtils.isCglibProxy(context.bean(InTransaction.class))).isTrue();
				assertThat(context.endpoint().name()).isEqualTo("InTransaction-on");
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).transactional).containsExactly(true);
			}
		}

		@Test
		void ofAnInterface() throws Exception {
			try (TestContext context = new TestContext(Seen.class, InterfaceProxies.class, ThroughInterface.class)
				.start()) {
				assertThat(AopUtils.isJdkDynamicProxy(context.bean(PlacedListener.class))).isTrue();
				assertThat(context.endpoint().name()).isEqualTo("ThroughInterface-on");
				assertThat(context.handler().description()).isEqualTo("ThroughInterface.on(Placed)");
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).transactional).containsExactly(true);
			}
		}

		@Test
		void thatACircleOfBeansGotEarly() throws Exception {
			try (TestContext context = new TestContext(Seen.class, SubclassProxies.class, Circular.class, Other.class)
				.start()) {
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).transactional).containsExactly(true);
			}
		}

		@Test
		void andSurfacesACheckedExceptionTheMethodDoesNotDeclare() {
			try (TestContext context = new TestContext(Seen.class, SubclassProxies.class, Sneaky.class).start()) {
				assertThatExceptionOfType(IOException.class)
					.isThrownBy(() -> context.deliver(TestContext.event(PLACED)))
					.withMessage("sneaky");
			}
		}

	}

	@Nested
	class SurfacesWhatTheHandlerThrows {

		@Test
		void anException() {
			try (TestContext context = new TestContext(ThrowsChecked.class).start()) {
				assertThatExceptionOfType(IOException.class)
					.isThrownBy(() -> context.deliver(TestContext.event(PLACED)))
					.withMessage("disk");
			}
		}

		@Test
		void anError() {
			try (TestContext context = new TestContext(ThrowsError.class).start()) {
				assertThatExceptionOfType(StackOverflowError.class)
					.isThrownBy(() -> context.deliver(TestContext.event(PLACED)));
			}
		}

	}

	@Nested
	class Refuses {

		@Test
		void anInterfaceProxyWithoutTheMethod() {
			assertThat(TestContext.problemsOf(Seen.class, InterfaceProxies.class, NotInInterface.class))
				.containsExactly("Handler NotInInterface.on(Placed) of bean '" + name(NotInInterface.class)
						+ "': its bean is an interface-based (JDK) proxy, and none of its interfaces has the method. "
						+ "Consider declaring the method in an interface of NotInInterface, or subclass (CGLIB) "
						+ "proxies with proxyTargetClass = true.");
		}

		@Test
		void aFinalMethodBehindASubclassProxy() {
			assertThat(TestContext.problemsOf(Seen.class, SubclassProxies.class, FinalMethod.class)).singleElement()
				.asString()
				.contains("FinalMethod.on(Placed)", "cannot override it", "Consider making it public and not final");
		}

		@Test
		void privateAndStaticMethods() {
			assertThat(TestContext.problemsOf(PrivateMethod.class, StaticMethod.class)).satisfiesExactlyInAnyOrder(
					(problem) -> assertThat(problem).contains("PrivateMethod.on(Placed)", "private"),
					(problem) -> assertThat(problem).contains("StaticMethod.on(Placed)", "static"));
		}

		@Test
		void aPrototypeEvenIfItHasBeenCreated() {
			assertThat(TestContext.problemsOf(Seen.class, Prototype.class, WantsPrototype.class)).singleElement()
				.asString()
				.contains("Bean '" + name(Prototype.class) + "'", "no singleton",
						"Consider making it a singleton, or giving its scope a scoped proxy");
		}

		@Test
		void asynchronousExecution() {
			assertThat(TestContext.problemsOf(AsyncHandler.class)).singleElement().asString().contains("@Async");
		}

		@Test
		void leavingTheTransaction() {
			assertThat(TestContext.problemsOf(OwnTransaction.class, ClassWithoutTransaction.class)).hasSize(2)
				.allSatisfy((problem) -> assertThat(problem).contains("@Transactional leaves the transaction"));
		}

		@Test
		void aProjectorWithoutHandlers() {
			assertThat(TestContext.problemsOf(NoHandlers.class)).singleElement()
				.asString()
				.contains("@Projector but no handler");
		}

		@Test
		void projectorsNobodyWouldRun() {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.register(ProjectorAnnotationBeanPostProcessor.class, Seen.class, Plain.class);
				assertThatExceptionOfType(ProjectorConfigurationException.class).isThrownBy(context::refresh)
					.withMessageContaining(
							"Projectors [Plain-on]: there is no bean that runs them. Consider @EnableEventing");
			}
		}

		@Test
		void everythingAtOnceWithNothingRegistered() {
			assertThat(
					TestContext.problemsOf(Seen.class, Plain.class, PrivateMethod.class, NoHandlers.class, Bad.class))
				.hasSize(5);
		}

	}

	private static String name(Class<?> nested) {
		return Introspector.decapitalize(
				ProjectorAnnotationBeanPostProcessorTests.class.getSimpleName() + "." + nested.getSimpleName());
	}

	static class Plain {

		private final Seen seen;

		Plain(Seen seen) {
			this.seen = seen;
		}

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			this.seen.add(event);
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

	static class NoResources extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

	@Configuration
	@EnableTransactionManagement(proxyTargetClass = true)
	static class SubclassProxies {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new NoResources();
		}

	}

	@Configuration
	@EnableTransactionManagement
	static class InterfaceProxies {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new NoResources();
		}

	}

	@Transactional
	static class InTransaction {

		@Autowired
		Seen seen;

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			this.seen.add(event);
		}

	}

	interface PlacedListener {

		void on(Placed event);

	}

	@Transactional
	static class ThroughInterface implements PlacedListener {

		@Autowired
		Seen seen;

		@Override
		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		public void on(Placed event) {
			this.seen.add(event);
		}

	}

	@Transactional
	static class Circular {

		@Autowired
		Seen seen;

		@Autowired
		Other other;

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			this.seen.add(event);
		}

	}

	static class Other {

		@Autowired
		Circular circular;

	}

	@Transactional
	static class Sneaky {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			throwAny(new IOException("sneaky"));
		}

		@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
		private static <T extends Throwable> void throwAny(Throwable thrown) throws T {
			throw (T) thrown;
		}

	}

	static class ThrowsChecked {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) throws IOException {
			throw new IOException("disk");
		}

	}

	static class ThrowsError {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			throw new StackOverflowError();
		}

	}

	@Transactional
	static class NotInInterface implements Runnable {

		@Override
		public void run() {
		}

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		public void on(Placed event) {
		}

	}

	@Transactional
	static class FinalMethod {

		void other() {
		}

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		public final void on(Placed event) {
		}

	}

	static class PrivateMethod {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		@SuppressWarnings({ "UnusedMethod", "UnusedVariable" })
		private void on(Placed event) {
		}

	}

	static class StaticMethod {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		static void on(Placed event) {
		}

	}

	@Scope("prototype")
	static class Prototype extends Plain {

		Prototype(Seen seen) {
			super(seen);
		}

	}

	static class WantsPrototype {

		WantsPrototype(ObjectProvider<Prototype> prototypes) {
			prototypes.getObject();
			prototypes.getObject();
		}

	}

	static class AsyncHandler {

		@Async
		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	static class OwnTransaction {

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	static class ClassWithoutTransaction {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	@Projector("nothing")
	static class NoHandlers {

	}

	static class Bad {

		@ProjectorEventHandler(subject = "{tenant}..placed")
		int on(Placed event) {
			return 1;
		}

		@ProjectorEventHandler(subject = "{tenant}.order.shipped", ackWait = 10)
		void onShipped(Shipped event) {
		}

	}

}
