package dev.eventing.sdk.projector;

/**
 * Settings of projectors from outside their code, usually from configuration properties.
 * {@link #forProjector} overrides the annotation, and the annotation overrides
 * {@link #defaults()}.
 */
public interface ProjectorSettingsSource {

	/** Returns the settings of all projectors that do not set a value themselves. */
	ProjectorSettings defaults();

	/**
	 * Returns the settings of one projector. They override its annotation.
	 * @param name the projector's name
	 * @return the settings, {@link ProjectorSettings#NONE} if there are none
	 */
	ProjectorSettings forProjector(String name);

	/** Returns a source without settings. */
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
