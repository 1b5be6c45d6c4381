namespace Raven.CommandLine.Service;

/// <summary>Windows refused what was asked of it about a service.</summary>
/// <param name="message">What, and why.</param>
/// <param name="inner">What the system said, if it was an exception.</param>
internal sealed class ServiceException(string message, Exception? inner = null) : Exception(message, inner);
