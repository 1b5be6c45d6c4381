namespace Raven.Server.Http.Subscriptions;

/// <summary>A worker sends what it may not send now.</summary>
/// <param name="message">What is wrong.</param>
internal sealed class SocketProtocolException(string message) : Exception(message);
