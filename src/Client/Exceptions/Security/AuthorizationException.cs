namespace Raven.Client.Exceptions.Security;

/// <summary>The caller may not do this.</summary>
public sealed class AuthorizationException(string message) : RavenException(message);
