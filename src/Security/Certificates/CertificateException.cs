namespace Raven.Security.Certificates;

/// <summary>A certificate that cannot be used. The message says why and what to do, without anything secret.</summary>
public sealed class CertificateException : Exception
{
    /// <summary>Makes one.</summary>
    public CertificateException(string message)
        : base(message)
    {
    }

    /// <summary>Makes one with its cause.</summary>
    public CertificateException(string message, Exception cause)
        : base(message, cause)
    {
    }

    /// <summary>True if the cause may be a file that is being written: a second try soon may succeed.</summary>
    public bool MayBeHalfWritten { get; init; }
}
