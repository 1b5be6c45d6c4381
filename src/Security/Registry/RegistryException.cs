namespace Raven.Security.Registry;

/// <summary>A change of the registry that is refused. Nothing has changed; the message is for the caller.</summary>
public sealed class RegistryException : Exception
{
    /// <summary>Makes one.</summary>
    public RegistryException(RegistryRefusal reason, string message, Exception? cause = null)
        : base(message, cause)
    {
        Reason = reason;
    }

    /// <summary>The reason.</summary>
    public RegistryRefusal Reason { get; }
}
