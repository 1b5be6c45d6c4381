namespace Raven.Server.Operations;

/// <summary>Why an operation failed, as a client reads it.</summary>
/// <param name="StatusCode">The HTTP status that the failure has.</param>
/// <param name="Type">The name clients know it by.</param>
/// <param name="Message">What is wrong, and where.</param>
public sealed record OperationFailure(int StatusCode, string Type, string Message);
