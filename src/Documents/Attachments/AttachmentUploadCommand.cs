using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>Stores the next bytes of an upload, or drops it. Used again for each piece.</summary>
public sealed class AttachmentUploadCommand : DocumentCommand
{
    private readonly byte[] _id;
    private ReadOnlyMemory<byte> _bytes;
    private long _offset;
    private bool _isDrop;

    /// <summary>The commands of one upload.</summary>
    /// <param name="id">Its id, <see cref="AttachmentSchema.UploadIdSizeBytes"/> bytes that no other has.</param>
    public AttachmentUploadCommand(byte[] id) => _id = id;

    /// <inheritdoc/>
    internal override bool IsPieceOfUpload => true;

    /// <summary>The next submit stores these bytes.</summary>
    public void SetPiece(long offset, ReadOnlyMemory<byte> bytes)
    {
        Failure = default;
        _offset = offset;
        _bytes = bytes;
        _isDrop = false;
    }

    /// <summary>The next submit drops the upload.</summary>
    public void SetDrop()
    {
        Failure = default;
        _bytes = default;
        _isDrop = true;
    }

    private protected override long SizeBytes => _bytes.Length;

    private protected override void Execute(DocumentWriter writer)
    {
        if (_isDrop)
        {
            writer.Attachments.DropUpload(_id);
        }
        else if (!writer.Attachments.Upload(_id, _offset, _bytes.Span))
        {
            Failure = new CommandFailure
            {
                Kind = CommandFailureKind.Refused,
                Detail = "The upload was interrupted: the database was closed in between.",
            };
        }
    }
}
