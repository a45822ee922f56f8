package groovy.lang;

/** Stands for the type of which Groovy gives each of its classes a property. */
public interface MetaClass {

}
