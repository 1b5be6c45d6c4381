namespace Raven.Documents.Backups;

/// <summary>Encrypts the files of a backup by one key. A database knows no ciphers: whoever starts it brings one.
/// </summary>
public interface IBackupCipher
{
    /// <summary>Tells keys apart without giving them away; stored in the manifest.</summary>
    string KeyCheck { get; }

    /// <summary>A stream that encrypts what is written to it; its asynchronous disposal writes the end, and leaves the
    /// target open.</summary>
    Stream Encrypt(Stream target);

    /// <summary>A stream of what was encrypted; its reads fail with <see cref="BackupException"/> where a byte is not
    /// as it was.</summary>
    ValueTask<Stream> DecryptAsync(Stream source, CancellationToken cancellation);
}
