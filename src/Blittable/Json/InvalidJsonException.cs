namespace Raven.Blittable.Json;

/// <summary>A JSON text was refused; the exception form of <see cref="JsonError"/>.</summary>
public sealed class InvalidJsonException : Exception
{
    /// <summary>Reports a text that is not acceptable JSON.</summary>
    public InvalidJsonException(JsonError error)
        : base(error.ToString()) => Error = error;

    /// <summary>The error and its place.</summary>
    public JsonError Error { get; }
}
