namespace Raven.Server.Http.Subscriptions;

/// <summary>The caller has lost the right to what it does.</summary>
/// <param name="message">Why.</param>
internal sealed class RightEndedException(string message) : Exception(message);
