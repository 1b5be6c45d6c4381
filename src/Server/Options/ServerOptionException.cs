namespace Raven.Server.Options;

/// <summary>An option that cannot be used: names the key, where it came from and what is wrong with it.</summary>
public sealed class ServerOptionException : Exception
{
    /// <summary>Makes the error for a key.</summary>
    /// <param name="key">The key as it is documented.</param>
    /// <param name="reason">What is wrong, a sentence.</param>
    public ServerOptionException(string key, string reason)
        : base($"{key}: {reason}")
    {
        Key = key;
    }

    /// <summary>The key that is wrong.</summary>
    public string Key { get; }
}
