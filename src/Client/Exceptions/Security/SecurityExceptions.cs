namespace Raven.Client.Exceptions.Security;

/// <summary>Client and server do not trust each other, or not enough for the request.</summary>
public class SecurityException(string message, Exception? innerException = null)
    : RavenException(message, innerException);

/// <summary>
/// Who the other side is was not shown: the server does not take the API key, or the client does not take the
/// certificate of the server. The message says what to do.
/// </summary>
public class AuthenticationException(string message, Exception? innerException = null)
    : SecurityException(message, innerException);

/// <summary>The certificate of the server is for other names than that of the url.</summary>
public sealed class CertificateNameMismatchException(string message, Exception? innerException = null)
    : AuthenticationException(message, innerException);

/// <summary>The caller may not do this.</summary>
public sealed class AuthorizationException(string message, Exception? innerException = null)
    : SecurityException(message, innerException);
