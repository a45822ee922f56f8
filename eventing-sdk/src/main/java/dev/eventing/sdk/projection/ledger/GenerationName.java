package dev.eventing.sdk.projection.ledger;

/**
 * The name by which the SDK's tables know a generation that is not live. The live one
 * goes by the name of its projector. The application cannot use {@code #} in a name.
 *
 * @param projection the projector's name
 * @param generation the number of the generation
 */
public record GenerationName(String projection, int generation) {

	@Override
	public String toString() {
		return this.projection + "#" + this.generation;
	}

}
