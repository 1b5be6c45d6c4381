using System.Security.Cryptography;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Server.Http.Attachments;
using Raven.Storage.Checks;
using Raven.Storage.Errors;
using Raven.Storage.Transactions;

namespace FastTests.Documents;

/// <summary>Bytes that were uploaded and never linked go; those that were linked stay.</summary>
public sealed class AttachmentUploadTests : IDisposable
{
    private const int PieceSize = 100_000;

    private readonly TestDatabase _database = new();
    private readonly byte[] _bytes = new byte[3 * PieceSize];

    public AttachmentUploadTests() => new Random(7).NextBytes(_bytes);

    public void Dispose() => _database.Dispose();

    [Fact]
    [Trait("Invariant", "ATT-2")]
    public void An_upload_without_a_link_is_removed_when_the_database_is_opened_again()
    {
        _database.Put("users/1", "{}");
        byte[] linked = Guid.NewGuid().ToByteArray();
        Upload(linked, 3);
        Upload(Guid.NewGuid().ToByteArray(), 2);
        Link("users/1", linked);
        Assert.Equal((2, 1), Count());
        _database.Restart();
        Assert.Equal("{}", _database.Read("users/1"));
        Assert.Equal((1, 0), Count());
        _database.Database.Dispose();
        using StorageEnvironment environment = _database.OpenEnvironment();
        CheckReport report = environment.Audit();
        Assert.True(report.Findings.Count == 0, string.Join('\n', report.Findings));
    }

    [Fact]
    public void A_piece_of_an_upload_behind_a_gap_is_refused()
    {
        byte[] id = Guid.NewGuid().ToByteArray();
        Upload(id, 1);
        var command = new AttachmentUploadCommand(id);
        command.SetPiece(2 * PieceSize, _bytes.AsMemory(2 * PieceSize));
        _database.Run(command);
        Assert.Equal(CommandFailureKind.Refused, command.Failure.Kind);
        command.SetDrop();
        _database.Run(command);
        Assert.Equal((0, 0), Count());
    }

    [Fact]
    public async Task A_failure_to_drop_one_upload_does_not_stop_the_drop_of_the_others()
    {
        Dropped[] uploads =
        [
            new(null), new(new StorageBusyException("the first")), new(new StorageBusyException("the second")),
            new(null),
        ];
        StorageBusyException thrown = await Assert.ThrowsAsync<StorageBusyException>(
            () => AttachmentParts.DisposeAllAsync(uploads).AsTask());
        Assert.Equal("the first", thrown.Message);
        Assert.All(uploads, upload => Assert.Equal(1, upload.Count));
    }

    private void Upload(byte[] id, int pieces)
    {
        var command = new AttachmentUploadCommand(id);
        for (int i = 0; i < pieces; i++)
        {
            command.SetPiece(i * PieceSize, _bytes.AsMemory(i * PieceSize, PieceSize));
            _database.Run(command);
            Assert.True(command.Failure.IsNone);
        }
    }

    private void Link(string documentId, byte[] uploadId)
    {
        _database.StartBatch();
        Raven.Blittable.Memory.Arena arena = _database.Batch.Context.Arena;
        Raven.Blittable.Memory.NativeSlice Keep(byte[] bytes)
        {
            Raven.Blittable.Memory.NativeSlice kept = arena.Allocate(bytes.Length);
            bytes.CopyTo(kept.WritableSpan);
            return kept;
        }

        byte[] id = System.Text.Encoding.UTF8.GetBytes(documentId);
        Assert.True(AttachmentKey.TryMake(arena, id, "name"u8, out Raven.Blittable.Memory.NativeSlice key, out _));
        var content = new AttachmentContent
        {
            Name = Keep("name"u8.ToArray()),
            Hash = Keep(SHA256.HashData(_bytes)),
            Size = _bytes.Length,
            UploadId = Keep(uploadId),
        };
        Assert.True(
            _database.Batch.TryAddAction(id, new AttachmentPutAction(arena, key, content), ExpectedVersion.Any));
        Assert.True(_database.Submit(), _database.Batch.Failure.Describe());
    }

    private (long Streams, long Uploads) Count()
    {
        using Raven.Documents.DocumentSnapshot snapshot = _database.Database.BeginRead();
        ReadTransaction transaction = snapshot.Transaction;
        return (
            transaction.TryOpenStreams(AttachmentSchema.Streams)?.Count ?? 0,
            transaction.TryOpenTree(AttachmentSchema.Uploads)?.Count ?? 0);
    }

    private sealed class Dropped(Exception? failure) : IAsyncDisposable
    {
        internal int Count { get; private set; }

        public ValueTask DisposeAsync()
        {
            Count++;
            return failure is null ? default : ValueTask.FromException(failure);
        }
    }
}
