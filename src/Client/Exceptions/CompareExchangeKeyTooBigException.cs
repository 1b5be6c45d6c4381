namespace Raven.Client.Exceptions;

/// <summary>The key of a compare-exchange value has more than 512 bytes.</summary>
public sealed class CompareExchangeKeyTooBigException(string message) : RavenException(message);
