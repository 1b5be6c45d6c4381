namespace Raven.Server;

/// <summary>The server cannot start for a reason that its operator can correct; the message names it.</summary>
public sealed class ServerStartException : Exception
{
    /// <summary>Makes the error with a message.</summary>
    public ServerStartException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
