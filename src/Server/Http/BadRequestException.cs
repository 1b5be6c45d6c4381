namespace Raven.Server.Http;

/// <summary>
/// The request is wrong in a way that its sender can correct: becomes a 4xx with the message unchanged, in one place
/// (<see cref="ErrorResponse"/>). Frequent errors are answered by the handler without an exception instead.
/// </summary>
public sealed class BadRequestException : Exception
{
    /// <summary>Makes the error with all of its parts.</summary>
    /// <param name="status">400 to 499, or 501 for a feature that is not served.</param>
    /// <param name="type">The name that clients know the failure by; see <see cref="ErrorType"/>.</param>
    /// <param name="message">What is wrong, and where.</param>
    public BadRequestException(int status, string type, string message)
        : base(message)
    {
        Status = status;
        Type = type;
    }

    /// <summary>Makes an error with status 400.</summary>
    public BadRequestException(string message)
        : this(400, ErrorType.BadRequest, message)
    {
    }

    /// <summary>The HTTP status.</summary>
    public int Status { get; }

    /// <summary>The type in the answer's body.</summary>
    public string Type { get; }
}
