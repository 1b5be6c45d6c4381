using Raven.Documents.Operations;

namespace Raven.Server.Http;

/// <summary>Why a request or an operation failed, in the form that clients read.</summary>
/// <param name="statusCode">The HTTP status that the failure has.</param>
/// <param name="type">The name that clients know the failure by.</param>
/// <param name="message">What is wrong, and where.</param>
internal sealed class FailureAnswer(int statusCode, string type, string message) : OperationFailure(message)
{
    /// <summary>The HTTP status that the failure has.</summary>
    internal int StatusCode { get; } = statusCode;

    /// <summary>The name that clients know the failure by.</summary>
    internal string Type { get; } = type;
}
