namespace Raven.Client.Exceptions.Server;

/// <summary>The server's disk is full. Nothing was written.</summary>
public sealed class DiskFullException(string message) : RavenException(message);
