package dev.eventing.sdk.projector;

/**
 * What is said about projectors outside their code, usually by configuration properties.
 * What {@link #forProjector} says wins over the annotation, which wins over
 * {@link #defaults()}.
 */
public interface ProjectorSettingsSource {

	/** What holds for each projector that says nothing itself. */
	ProjectorSettings defaults();

	/**
	 * What holds for one projector, whatever its annotation says.
	 * @param name the projector's name
	 * @return the settings, {@link ProjectorSettings#NONE} if nothing is said
	 */
	ProjectorSettings forProjector(String name);

	/** A source that says nothing. */
	static ProjectorSettingsSource none() {
		return new ProjectorSettingsSource() {

			@Override
			public ProjectorSettings defaults() {
				return ProjectorSettings.NONE;
			}

			@Override
			public ProjectorSettings forProjector(String name) {
				return ProjectorSettings.NONE;
			}

		};
	}

}
