namespace Raven.Blittable.Binding;

/// <summary>A document does not fit the type it is bound to; the message names the property and its value.</summary>
public sealed class BlittableBindingException : Exception
{
    /// <summary>Reports a value that does not fit.</summary>
    /// <param name="property">The property, by its name in the document.</param>
    /// <param name="reason">Its value, and the required type.</param>
    public BlittableBindingException(string property, string reason)
        : base($"{property}: {reason}") => Property = property;

    /// <summary>The property that does not fit.</summary>
    public string Property { get; }
}
