namespace Raven.Client.Exceptions;

/// <summary>None of the urls could be reached. The message tells each of them with what went wrong there.</summary>
public sealed class AllTopologyNodesDownException(string message, Exception? innerException = null)
    : RavenException(message, innerException);
