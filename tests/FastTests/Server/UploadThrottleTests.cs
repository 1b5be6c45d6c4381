using Raven.Server.Http.Attachments;
using Shared.Storage;

namespace FastTests.Server;

/// <summary>An upload is as fast as it can be alone, and leaves room beside others.</summary>
public sealed class UploadThrottleTests
{
    private const int PieceSizeBytes = AttachmentUpload.PieceSizeBytes;

    private static readonly TimeSpan PieceTime =
        TimeSpan.FromSeconds((double)PieceSizeBytes / UploadThrottle.BytesPerSecondBesideWriters);

    private readonly ManualClock _clock = new();
    private readonly UploadThrottle _throttle;
    private long _others = 7;

    public UploadThrottleTests() => _throttle = new UploadThrottle(() => _others, _clock);

    [Fact]
    public void An_upload_without_other_writers_never_waits()
    {
        for (int piece = 0; piece < 1000; piece++)
        {
            Assert.True(Wait().IsCompletedSuccessfully);
            _clock.Advance(TimeSpan.FromMicroseconds(200));
        }
    }

    [Fact]
    public async Task A_piece_of_an_upload_beside_writers_waits_for_its_share_of_the_time()
    {
        _others++;
        Task wait = Wait();
        Assert.False(wait.IsCompleted);
        _clock.Advance(PieceTime * 1.5);
        await wait;

        // The wait was half a piece too long; the next one makes up for it: what is left is too little to wait.
        _others++;
        Assert.True(Wait().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task An_upload_no_longer_waits_soon_after_other_writers_have_ended()
    {
        _others++;
        Task wait = Wait();
        _clock.Advance(TimeSpan.FromMilliseconds(50));
        await wait;
        await Wait();
        Assert.False(Wait().IsCompleted);
        _clock.Advance(TimeSpan.FromMilliseconds(51));
        Assert.True(Wait().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task The_wait_of_an_upload_ends_when_its_request_is_cancelled()
    {
        using var ended = new CancellationTokenSource();
        _others++;
        Task wait = _throttle.WaitAsync(1 << 30, ended.Token);
        await ended.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await wait);
    }

    private Task Wait() => _throttle.WaitAsync(PieceSizeBytes, CancellationToken.None);
}
