package dev.eventing.samples.orders.order;

/** The rules of an order forbid what was asked for. Trying again would not help. */
public class OrderRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	OrderRefusedException(String message) {
		super(message);
	}

}
