namespace Raven.Server;

/// <summary>The server cannot start for a reason that its operator can mend; the message says which.</summary>
public sealed class ServerStartException : Exception
{
    /// <summary>The server cannot start.</summary>
    public ServerStartException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
