namespace Raven.Security.Secrets;

/// <summary>A master key that cannot be used. The message says why and what to do, and nothing of the key.</summary>
public sealed class MasterKeyException(string message, Exception? cause = null) : Exception(message, cause);
