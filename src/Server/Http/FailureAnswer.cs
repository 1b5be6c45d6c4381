using Raven.Documents.Operations;

namespace Raven.Server.Http;

/// <summary>Why a request or an operation failed, in the form that clients read.</summary>
/// <param name="StatusCode">The HTTP status that the failure has.</param>
/// <param name="Type">The name that clients know the failure by.</param>
/// <param name="Message">What is wrong, and where.</param>
internal sealed record FailureAnswer(int StatusCode, string Type, string Message) : OperationFailure(Message);
