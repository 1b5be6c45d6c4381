using Microsoft.Extensions.Logging;

namespace Raven.Server.Diagnostics;

/// <summary>
/// The loggers of a server, with a lowest level that can be changed while it runs, and lines that stay lines whatever
/// callers send. It keeps the last lines itself. Any thread.
/// </summary>
internal sealed class LogSwitch(ILoggerFactory loggers, LogLevel level, TimeProvider? time = null) : ILoggerFactory
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private volatile int _level = (int)level;

    /// <summary>The lowest level that is logged.</summary>
    internal LogLevel Level
    {
        get => (LogLevel)_level;
        set => _level = (int)value;
    }

    /// <summary>The last lines.</summary>
    internal LogLines Lines { get; } = new();

    /// <summary>Takes all lines, too; null if nothing does. To be set before the first logger is made.</summary>
    internal ILoggerFactory? Second { get; set; }

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) =>
        new SwitchedLogger(
            this, categoryName, loggers.CreateLogger(categoryName), Second?.CreateLogger(categoryName));

    /// <inheritdoc/>
    public void AddProvider(ILoggerProvider provider) => loggers.AddProvider(provider);

    /// <summary>The factory beneath is disposed by its owner.</summary>
    public void Dispose()
    {
    }

    private sealed class SwitchedLogger(LogSwitch owner, string category, ILogger logger, ILogger? second) : ILogger
    {
        private readonly bool _isOfPlatform = category.StartsWith("Microsoft.", StringComparison.Ordinal);

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => logger.BeginScope(state);

        /// <summary>The lines of the platform are kept if they are warnings, or if someone else takes them.</summary>
        public bool IsEnabled(LogLevel logLevel) => logLevel >= owner.Level && logLevel != LogLevel.None
            && (!_isOfPlatform || logLevel >= LogLevel.Warning || logger.IsEnabled(logLevel));

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (!IsEnabled(logLevel))
            {
                return;
            }

            // What an exception says may be what a caller sent. If it would change the log, it is a part of the line.
            string? trace = exception?.ToString();
            bool isTrace = trace == null || LogText.IsTrace(trace);
            string line = LogText.OneLine(
                isTrace ? formatter(state, exception) : $"{formatter(state, exception)} {trace}");
            if (logger.IsEnabled(logLevel))
            {
                logger.Log(logLevel, eventId, state, isTrace ? exception : null, (_, _) => line);
            }

            owner.Lines.Add(new LogLine(
                owner._time.GetUtcNow(), logLevel, category, eventId.Id, line, isTrace ? trace ?? "" : ""));

            // The line alone: its parts are what callers sent, and the trace is not for others to keep.
            second?.Log(logLevel, eventId, line, null, static (text, _) => text);
        }
    }
}
