namespace Raven.Client.Exceptions;

/// <summary>None of the urls could be reached. The message names the error of each of them.</summary>
public sealed class AllTopologyNodesDownException(string message, Exception? innerException = null)
    : RavenException(message, innerException);
