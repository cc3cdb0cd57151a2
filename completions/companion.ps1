# PowerShell completion for companion; written by: companion completions powershell
Register-ArgumentCompleter -Native -CommandName companion -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $words += '""' }
    & companion complete -- @words 2>$null | ForEach-Object {
        $word, $told = $_ -split "`t", 2
        if (-not $told) { $told = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $told)
    }
}
