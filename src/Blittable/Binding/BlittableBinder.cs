using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Binding;

/// <summary>
/// Turns documents into objects of a class and back, for options, query parameters and the like: public properties by
/// their names, case-sensitive. Properties that the document does not have keep the constructor's values; those that
/// the class does not have are ignored. The code for a class is compiled once, at its first use. Supports strings,
/// booleans, int, long, double, decimal, enumerations by name, nullables of these, lists and arrays, dictionaries of
/// strings, and classes of the same kind. Thread-safe.
/// </summary>
public static class BlittableBinder
{
    /// <summary>Makes an object of a document.</summary>
    /// <typeparam name="T">A class with a constructor without parameters.</typeparam>
    /// <exception cref="BlittableBindingException">A value does not fit its property.</exception>
    public static T Read<T>(BlittableObject source)
        where T : class, new() => CompiledBinder<T>.Read(source);

    /// <summary>Writes an object as the next value of a document; null properties are written as null.</summary>
    /// <typeparam name="T">A class with a constructor without parameters.</typeparam>
    public static void Write<T>(BlittableWriter target, T source)
        where T : class, new()
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(source);
        CompiledBinder<T>.Write(target, source);
    }
}
